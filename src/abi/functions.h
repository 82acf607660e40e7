// The functions of MPI that weir calls, by their profiling names. Those that it defines are declared where they are.
#pragma once

#include "abi/types.h"

extern "C" {

// Starting, ending, error codes.
int PMPI_Init(int*, char***);
int PMPI_Init_thread(int*, char***, int required, int* provided);
int PMPI_Query_thread(int* provided);
int PMPI_Initialized(int* flag);
int PMPI_Finalized(int* flag);
int PMPI_Abort(MPI_Comm, int code);
int PMPI_Add_error_code(int error_class, int* code);
int PMPI_Add_error_string(int code, const char* text);
int PMPI_Error_class(int code, int* error_class);
int PMPI_Error_string(int code, char* text, int* length);
int PMPI_Errhandler_free(MPI_Errhandler*);
int PMPI_File_create_errhandler(MPI_File_errhandler_function*, MPI_Errhandler*);

// Communicators and groups.
int PMPI_Comm_compare(MPI_Comm, MPI_Comm, int* result);
int PMPI_Comm_create(MPI_Comm, MPI_Group, MPI_Comm* made);
int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function*, MPI_Comm_delete_attr_function*, int* key, void* state);
int PMPI_Comm_free(MPI_Comm*);
int PMPI_Comm_free_keyval(int* key);
int PMPI_Comm_get_attr(MPI_Comm, int key, void* value, int* flag);
int PMPI_Comm_get_errhandler(MPI_Comm, MPI_Errhandler*);
int PMPI_Comm_group(MPI_Comm, MPI_Group*);
int PMPI_Comm_rank(MPI_Comm, int* rank);
int PMPI_Comm_set_attr(MPI_Comm, int key, void* value);
int PMPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler);
int PMPI_Comm_size(MPI_Comm, int* size);
int PMPI_Comm_split_type(MPI_Comm, int type, int key, MPI_Info, MPI_Comm* made);
int PMPI_Comm_test_inter(MPI_Comm, int* flag);
int PMPI_Group_free(MPI_Group*);
int PMPI_Group_size(MPI_Group, int* size);
int PMPI_Group_translate_ranks(MPI_Group, int count, const int* ranks, MPI_Group other, int* found);

// Messages.
int PMPI_Allgather(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
int PMPI_Bcast(void*, int count, MPI_Datatype, int root, MPI_Comm);
int PMPI_Iallreduce(const void*, void*, int count, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*);
int PMPI_Iprobe(int source, int tag, MPI_Comm, int* flag, MPI_Status*);
int PMPI_Irecv(void*, int count, MPI_Datatype, int source, int tag, MPI_Comm, MPI_Request*);
int PMPI_Isend(const void*, int count, MPI_Datatype, int to, int tag, MPI_Comm, MPI_Request*);
int PMPI_Send(const void*, int count, MPI_Datatype, int to, int tag, MPI_Comm);

// Requests.
int PMPI_Wait(MPI_Request*, MPI_Status*);
int PMPI_Waitany(int count, MPI_Request*, int* index, MPI_Status*);
int PMPI_Waitsome(int count, MPI_Request*, int* complete, int* indices, MPI_Status*);
int PMPI_Waitall(int count, MPI_Request*, MPI_Status*);
int PMPI_Test(MPI_Request*, int* flag, MPI_Status*);
int PMPI_Testany(int count, MPI_Request*, int* index, int* flag, MPI_Status*);
int PMPI_Testsome(int count, MPI_Request*, int* complete, int* indices, MPI_Status*);
int PMPI_Testall(int count, MPI_Request*, int* flag, MPI_Status*);
int PMPI_Request_get_status(MPI_Request, int* flag, MPI_Status*);
int PMPI_Grequest_start(MPI_Grequest_query_function*, MPI_Grequest_free_function*, MPI_Grequest_cancel_function*, void*,
                        MPI_Request*);
int PMPI_Grequest_complete(MPI_Request);
int PMPI_Status_set_cancelled(MPI_Status*, int flag);
int PMPI_Status_set_elements_x(MPI_Status*, MPI_Datatype, MPI_Count);

// Infos.
int PMPI_Info_create(MPI_Info*);
int PMPI_Info_dup(MPI_Info, MPI_Info* made);
int PMPI_Info_free(MPI_Info*);
int PMPI_Info_set(MPI_Info, const char* key, const char* value);
int PMPI_Info_get(MPI_Info, const char* key, int length, char* value, int* flag);
int PMPI_Info_get_nkeys(MPI_Info, int* keys);
int PMPI_Info_get_nthkey(MPI_Info, int, char* key);
int PMPI_Info_get_valuelen(MPI_Info, const char* key, int* length, int* flag);

// Datatypes.
int PMPI_Type_create_keyval(MPI_Type_copy_attr_function*, MPI_Type_delete_attr_function*, int* key, void* state);
int PMPI_Type_dup(MPI_Datatype, MPI_Datatype* made);
int PMPI_Type_free(MPI_Datatype*);
int PMPI_Type_get_attr(MPI_Datatype, int key, void* value, int* flag);
int PMPI_Type_set_attr(MPI_Datatype, int key, void* value);
int PMPI_Type_get_contents(MPI_Datatype, int integers, int addresses, int types, int*, MPI_Aint*, MPI_Datatype*);
int PMPI_Type_get_envelope(MPI_Datatype, int* integers, int* addresses, int* types, int* combiner);
int PMPI_Type_get_contents_c(MPI_Datatype, MPI_Count integers, MPI_Count addresses, MPI_Count counts, MPI_Count types,
                             int*, MPI_Aint*, MPI_Count*, MPI_Datatype*);
int PMPI_Type_get_envelope_c(MPI_Datatype, MPI_Count* integers, MPI_Count* addresses, MPI_Count* counts,
                             MPI_Count* types, int* combiner);
int PMPI_Type_get_extent_x(MPI_Datatype, MPI_Count* lower, MPI_Count* extent);
int PMPI_Type_size(MPI_Datatype, int* bytes);
int PMPI_Type_size_x(MPI_Datatype, MPI_Count* bytes);

}  // extern "C"
