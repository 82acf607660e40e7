/* Persistent collective file access, an extension of weir's: a program that writes or reads the same way again and
 * again says so once, and keeps the plan.
 *
 *   MPIX_File_operation step;
 *   MPIX_File_write_all_init(file, buffer, count, type, &step);
 *   for (...) {
 *     MPIX_File_start(step);
 *     ... compute, without touching the buffer ...
 *     MPIX_File_wait(step, MPI_STATUS_IGNORE);
 *   }
 *   MPIX_File_operation_free(&step);
 *
 * Link with libweir (-lweir, ahead of the MPI library), or preload it and look the functions up with dlsym.
 * All functions return MPI error codes; failures go to the file's error handler.
 */
#ifndef WEIR_PERSISTENT_H
#define WEIR_PERSISTENT_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_file_operation* MPIX_File_operation;

/* COLLECTIVE. Describe an access; nothing moves yet. The _at_ functions go to `offset` of the view at every start, the
 * others to where the individual file pointer then stands. The datatype may be freed afterwards. The view, hints and
 * size of the file may change between starts; a start that asks for the same bytes as the one before, also moved in the
 * file, makes no new plan. */
int MPIX_File_write_all_init(MPI_File file, const void* buffer, int count, MPI_Datatype type,
                             MPIX_File_operation* operation);
int MPIX_File_read_all_init(MPI_File file, void* buffer, int count, MPI_Datatype type, MPIX_File_operation* operation);
int MPIX_File_write_at_all_init(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype type,
                                MPIX_File_operation* operation);
int MPIX_File_read_at_all_init(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                               MPIX_File_operation* operation);

/* COLLECTIVE. Starts the access; it progresses beside the program as a nonblocking file call does. An operation that was
 * started must be waited for before it is started again or freed. */
int MPIX_File_start(MPIX_File_operation operation);

/* Returns when the access is done. An operation that was not started is done, with an empty status. */
int MPIX_File_wait(MPIX_File_operation operation, MPI_Status* status);

/* Forgets the operation and its plan; sets the handle to NULL. Before the file is closed. */
int MPIX_File_operation_free(MPIX_File_operation* operation);

#ifdef __cplusplus
}
#endif

#endif
