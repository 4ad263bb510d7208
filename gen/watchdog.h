/* Ends the process if it waits too long for the other ranks: a lost host or link shows in no other way. */
#ifndef GEN_WATCHDOG_H
#define GEN_WATCHDOG_H

/* Starts watching. `rank` is named in the message. Without this call nothing is watched. */
void watchdog_start(double seconds, int rank);

/* The process begins to wait for others, or has just heard of one: `what` (it must live on) says for what. */
void watchdog_wait(const char *what);

/* It works again. */
void watchdog_work(void);

#endif
