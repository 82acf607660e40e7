/* What tests tell the preloaded fault shim (fault.c), found by dlsym: a program that runs without it gets null. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* The calls that can be made to fail, in families. */
enum fault_call { FAULT_NONE, FAULT_READ, FAULT_WRITE, FAULT_OPEN, FAULT_SYNC, FAULT_RESIZE };

struct fault_plan {
  enum fault_call call;
  int nth;          /* the first call to be hit, counted from 1 */
  int times;        /* how many calls in a row are hit; 0: all that follow */
  int error_number; /* what they fail with; 0: they transfer only half of what was asked for */
};

/* Arms the shim in this process for calls on paths that contain "faulty", and forgets earlier hits. */
typedef void fault_arm_function(const struct fault_plan* plan);
/* How many calls were hit since. */
typedef int fault_hits_function(void);

#ifdef __cplusplus
}
#endif
