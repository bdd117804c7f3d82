/* A wave of a lockstep run: all ports and registers of the Verilog (scope rtl), of the C model
 * (scope ref) and what differs between them (scope diff, 0 wherever they agree), for GTKWave. */
#ifndef COSIM_WAVE_H
#define COSIM_WAVE_H

#include "cosim/lockstep.h"

typedef struct wave wave_t;

/* Creates `path` and declares the signals. 0, or -1 and a message. */
int wave_open(wave_t **out, const char *path, const lockstep_t *ls, mrpb_err_t *err);
/* This cycle: ports between comb and edge, registers as they are. A cycle is 10 ns, the edge in its
 * middle. */
void wave_cycle(wave_t *wave, const lockstep_t *ls);
/* Finishes the file. 0, or -1 and a message. */
int wave_close(wave_t *wave, mrpb_err_t *err);

/* Writes a GTKWave save file for such a wave. `dump` is the wave's name, or NULL. */
int wave_save_file(const char *path, const char *dump, const module_class_t *cls,
                   const uint32_t *cfg, mrpb_err_t *err);

#endif
