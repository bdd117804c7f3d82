/* Child processes. */
#ifndef PROCESS_H
#define PROCESS_H

/* For a child, before its work: it gets SIGTERM when its parent is gone, so that a killed run
 * leaves nothing behind that goes on. Kept by exec. */
void process_end_with_parent(void);

#endif
