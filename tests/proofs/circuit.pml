/* The decisions of a circuit router: inputs a and b from below, c and d from above, outputs likewise. A message at an input
 * below wants to go up, by c or d, or down to the other side; one from above wants to go down. It gets its output in the
 * cycle in which it comes or is rejected at once; a circuit lasts as long as it likes.
 *
 * Held: no output has two circuits, and no circuit has none; a message upwards is never rejected, for there are as many
 * ports above as below; downwards only if the port was in use or another got it in the same cycle.
 * Faults: 1 upwards a port is chosen that may be in use; 2 of newcomers for one port down two get it; 3 a circuit that
 * ends gives back the port beside its own.
 * -DWALK prints which circuits end, who wants what and gets what, for the router to be compared with (replay_test.cpp);
 * of newcomers for one port down the first wins, as in a router whose rule is fixed. */
#ifndef FAULT
#define FAULT 0
#endif
#define NONE 4
#define UP 2
byte output[4] = NONE; /* of the circuit at an input */
bool taken[4];         /* of an output */
#ifdef WALK
bool ended[4];
#endif
byte wanted[4] = NONE; /* of newcomers: 0 a, 1 b, UP */

active proctype router() {
  byte i, port, won, users;
  bool was[4];
  do
  :: i = 0;
    do /* circuits end, messages come */
    :: i < 4 ->
      if
      :: output[i] != NONE ->
        if
        :: true ->
#if FAULT == 3
          taken[output[i] ^ 1] = false;
#else
          taken[output[i]] = false;
#endif
          output[i] = NONE;
#ifdef WALK
          ended[i] = true
#endif
        :: true
        fi
      :: output[i] == NONE ->
        if
        :: wanted[i] = NONE
        :: i != 0 -> wanted[i] = 0
        :: i != 1 -> wanted[i] = 1
        :: i < 2 -> wanted[i] = UP
        fi
      fi;
      i++
    :: else -> break
    od;
    atomic {
      i = 0;
      do
      :: i < 4 -> was[i] = taken[i]; i++
      :: else -> break
      od;
#ifdef WALK
      printf("walk end %d %d %d %d wish %d %d %d %d", ended[0], ended[1], ended[2], ended[3], wanted[0], wanted[1],
             wanted[2], wanted[3])
#endif
    };
    i = 0;
    do /* upwards, from a and then b */
    :: i < 2 ->
      if
      :: wanted[i] == UP ->
        if
#if FAULT == 1
        :: port = 2
        :: port = 3
#else
        :: !taken[2] -> port = 2
        :: !taken[3] -> port = 3
        :: taken[2] && taken[3] -> assert(false) /* rejected */
#endif
        fi;
        output[i] = port; taken[port] = true; wanted[i] = NONE
      :: else
      fi;
      i++
    :: else -> break
    od;
    port = 0;
    do /* downwards: any one of the newcomers */
    :: port < 2 ->
      won = NONE;
#ifdef WALK
      if
      :: was[port]
      :: !was[port] && wanted[0] == port -> won = 0
      :: !was[port] && wanted[0] != port && wanted[1] == port -> won = 1
      :: !was[port] && wanted[0] != port && wanted[1] != port && wanted[2] == port -> won = 2
      :: !was[port] && wanted[0] != port && wanted[1] != port && wanted[2] != port && wanted[3] == port -> won = 3
      :: else
      fi;
#else
      if
      :: was[port]
      :: !was[port] && wanted[0] == port -> won = 0
      :: !was[port] && wanted[1] == port -> won = 1
      :: !was[port] && wanted[2] == port -> won = 2
      :: !was[port] && wanted[3] == port -> won = 3
      :: !was[port] && wanted[0] != port && wanted[1] != port && wanted[2] != port && wanted[3] != port
      fi;
#endif
      atomic {
        i = 0;
        do
        :: i < 4 ->
          if
#if FAULT == 2
          :: wanted[i] == port && won != NONE ->
#else
          :: wanted[i] == port && won == i ->
#endif
            output[i] = port; taken[port] = true
          :: wanted[i] == port && won != i -> assert(was[port] || won != NONE) /* rejected */
          :: else
          fi;
          if
          :: wanted[i] == port -> wanted[i] = NONE
          :: else
          fi;
          i++
        :: else -> break
        od
      };
      port++
    :: else -> break
    od;
    atomic { /* each output has one circuit, or none */
      port = 0;
      do
      :: port < 4 ->
        users = (output[0] == port) + (output[1] == port) + (output[2] == port) + (output[3] == port);
        assert(users == taken[port]);
        port++
      :: else -> break
      od;
#ifdef WALK
      printf(" got %d %d %d %d\n", output[0], output[1], output[2], output[3]);
      ended[0] = false; ended[1] = false; ended[2] = false; ended[3] = false;
#endif
      i = 0; port = 0; won = 0; users = 0; was[0] = false; was[1] = false; was[2] = false; was[3] = false
    }
  od
}
