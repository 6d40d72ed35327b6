/* The arbiter of bleeding by grants: three interfaces wish to send to a hot module, and a pointer goes round those that
 * wish. An interface holds a grant until it has used it, and wishes for no second one meanwhile.
 *
 * Held: at most one grant a cycle, none that was not wished for, no request without a grant, and a request of interface 2
 * goes at last, however the others behave.
 * Faults: 1 the pointer never advances; 2 an interface that has a grant still wishes, and keeps both.
 * -DWALK prints who wishes and who gets a grant, for the arbiter to be compared with (replay_test.cpp). */
#ifndef FAULT
#define FAULT 0
#endif
#define N 3
#if FAULT == 2
#define WISHES(i) (blocked[i] > 0)
#else
#define WISHES(i) (blocked[i] > grants[i] && grants[i] == 0)
#endif
byte blocked[N], grants[N]; /* requests that wait, at most two; grants that are not yet used */
byte pointer;
bool went;                  /* a request of interface 2, in this cycle */
#ifdef WALK
byte winner;
#endif

active proctype cycle() {
  byte i, k, given;
  do
  :: atomic { went = false; given = 0; i = 0 };
    /* requests come, and go by a grant when the network has room */
    do
    :: i < N ->
      if
      :: blocked[i] < 2 -> blocked[i]++
      :: i < 2 -> skip
      :: i == 2 && blocked[2] > 0 -> skip /* interface 2 has always something to send */
      fi;
      if
      :: grants[i] > 0 && blocked[i] > 0 ->
        atomic { grants[i]--; blocked[i]--; if :: i == 2 -> went = true :: else fi }
      :: i < 2 -> skip
      :: i == 2 && grants[2] == 0 -> skip
      fi;
      i++
    :: else -> break
    od;
    atomic {
#ifdef WALK
      winner = N;
      printf("walk wish %d %d %d", WISHES(0), WISHES(1), WISHES(2));
#endif
      k = 0;
      do
      :: k < N && given == 0 ->
        i = (pointer + k) % N;
        if
        :: WISHES(i) ->
          grants[i]++; given++;
#ifdef WALK
          winner = i;
#endif
#if FAULT != 1
          pointer = (i + 1) % N
#else
          skip
#endif
        :: else
        fi;
        k++
      :: else -> break
      od;
#ifdef WALK
      printf(" grant %d\n", winner);
#endif
      assert(given <= 1);
      assert(grants[0] <= 1 && grants[1] <= 1 && grants[2] <= 1);
      i = 0; k = 0; given = 0
    }
  od
}

ltl served { []<> went }
