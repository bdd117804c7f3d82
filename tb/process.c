#include "process.h"

#include <signal.h>
#include <sys/prctl.h>

void process_end_with_parent(void) {
  (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
}
