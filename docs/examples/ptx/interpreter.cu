// SPDX-License-Identifier: Apache-2.0
// A stack machine for each thread: its stack is an array of the thread (local memory), its opcodes a switch.
#include "cuda_min.cuh"

enum { PUSH, INPUT, ADD, SUB, MUL, MIN, MAX, DUP, SWAP, XOR, SHL, END };

__global__ void interpreter(const int *code, const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, stack[16], top = 0;
  if (i >= n) return;
  for (int pc = 0;; pc++) {
    int a = top > 0 ? stack[top - 1] : 0, b = top > 1 ? stack[top - 2] : 0;
    switch (code[pc]) {
    case PUSH: stack[top++] = code[++pc]; break;
    case INPUT: stack[top++] = in[i]; break;
    case ADD: stack[--top - 1] = b + a; break;
    case SUB: stack[--top - 1] = b - a; break;
    case MUL: stack[--top - 1] = b * a; break;
    case MIN: stack[--top - 1] = min(b, a); break;
    case MAX: stack[--top - 1] = max(b, a); break;
    case DUP: stack[top++] = a; break;
    case SWAP: stack[top - 1] = b, stack[top - 2] = a; break;
    case XOR: stack[--top - 1] = b ^ a; break;
    case SHL: stack[--top - 1] = b << (a & 31); break;
    default: out[i] = a; return;
    }
  }
}
