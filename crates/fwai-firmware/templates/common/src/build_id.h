/* The identity of the running image: the linker's build id, read from flash. */

#ifndef BUILD_ID_H
#define BUILD_ID_H

void build_id_write(void);

#endif
