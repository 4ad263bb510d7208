/* Named points at which a test can kill the process, to see that nothing is lost or wrong afterwards. */
#ifndef GEN_KILL_POINT_H
#define GEN_KILL_POINT_H

/* Kills this process by SIGKILL at the COUNTth passage of the point if the environment says
 * DAMABASE_KILL=NAME:COUNT:RANK; otherwise nothing. */
void kill_point(const char *name);

/* Reads the environment. */
void kill_points_prepare(int rank);

#endif
