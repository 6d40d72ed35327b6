/* Dampening where the sender calculates: one sender, one receiver with a pool of three places, a link of LATENCY cycles
 * each way. A cycle is one step. Messages for destination 0 may lie at places 0 and 1, those for destination 1 at 2 and
 * 1. The sender keeps an image of the pool, gives each message a place, and hears of every one that has left, at most of
 * one a cycle. Destination 0 may stop for ever, destination 1 takes a message at the latest every third cycle.
 *
 * The sender offers both in turn.
 *
 * Held: no message finds its place taken, a destination has no more than its two, a place that the sender thinks free
 * is free, messages of a destination arrive in the order in which they were sent, and destination 1 is served for ever,
 * whatever destination 0 does.
 *
 * Faults: 1 a message is reported when it comes; 2 a message of destination 1 that leaves place 2 is not reported;
 * 3 messages may lie anywhere.
 * -DWALK prints what the sender hears and sends, and what leaves and comes, for an interface and a switch to be compared
 * with (replay_test.cpp). */
#ifndef LATENCY
#define LATENCY 1
#endif
#ifndef FAULT
#define FAULT 0
#endif
#define PLACES 3
#define NONE 7

byte link[LATENCY], number[LATENCY], to[LATENCY]; /* under way: destination or NONE, its number modulo 4, its place */
byte news[LATENCY];                               /* a place that has been left, or NONE */

bool image[PLACES]; /* what the sender thinks taken */
byte turn;
byte sent[2], delivered[2]; /* numbers modulo 4 */

byte place[PLACES];                /* number of the message in it, or NONE */
byte first[2], second[2];          /* places of each destination's messages, the oldest first, or NONE */
byte to_report[PLACES], reports;   /* places that have been left, in order */
byte patience;
bool served;
#ifdef WALK
byte gone[2], from[2];
#endif

#if FAULT == 3
#define CHOOSE(d) (!image[0] -> 0 : (!image[1] -> 1 : (!image[2] -> 2 : NONE)))
#else
#define CHOOSE(d) (!image[2 * d] -> 2 * d : (!image[1] -> 1 : NONE))
#endif

inline report(p) {
  assert(reports < PLACES);
  to_report[reports] = p; reports++
}

inline leave(d) { /* destination d takes its oldest message */
  if
  :: first[d] != NONE ->
    assert(place[first[d]] == delivered[d]);
#ifdef WALK
    gone[d] = delivered[d]; from[d] = first[d];
#endif
    delivered[d] = (delivered[d] + 1) % 4;
    place[first[d]] = NONE;
#if FAULT == 2
    if
    :: first[d] == 2
    :: else -> report(first[d])
    fi;
#elif FAULT != 1
    report(first[d]);
#endif
    first[d] = second[d]; second[d] = NONE;
    if
    :: d == 1 -> served = true; patience = 0
    :: else
    fi
  :: else
  fi
}

active proctype cycle() {
  byte k, d, at, arrived, arrived_number, arrived_to, said;
  d_step {
    k = 0;
    do
    :: k < LATENCY -> link[k] = NONE; news[k] = NONE; k++
    :: else -> break
    od;
    k = 0;
    do
    :: k < PLACES -> place[k] = NONE; k++
    :: else -> break
    od;
    first[0] = NONE; first[1] = NONE; second[0] = NONE; second[1] = NONE; k = 0
  }
  do
  :: d_step { /* what comes in this cycle, and what the sender does */
      arrived = link[LATENCY - 1]; arrived_number = number[LATENCY - 1]; arrived_to = to[LATENCY - 1];
      said = news[LATENCY - 1];
      k = LATENCY - 1;
      do
      :: k > 0 -> link[k] = link[k - 1]; number[k] = number[k - 1]; to[k] = to[k - 1]; news[k] = news[k - 1]; k--
      :: else -> break
      od;
      served = false;
      if
      :: said != NONE -> assert(image[said]); image[said] = false
      :: else
      fi;
#ifdef WALK
      printf("walk said %d", said);
      gone[0] = NONE; gone[1] = NONE; from[0] = NONE; from[1] = NONE;
#endif
      d = turn;
      at = CHOOSE(d);
      if
      :: at == NONE -> d = 1 - turn; at = CHOOSE(d)
      :: else
      fi;
      if
      :: at == NONE -> link[0] = NONE; number[0] = 0; to[0] = 0
      :: else ->
        image[at] = true; turn = 1 - d;
        link[0] = d; number[0] = sent[d]; to[0] = at;
        sent[d] = (sent[d] + 1) % 4
      fi;
#ifdef WALK
      printf(" sent %d %d %d", link[0], number[0], to[0]);
#endif
      said = NONE; d = 0; at = 0; k = 0
    }
    /* destinations take what is there */
    if
    :: leave(0)
    :: skip
    fi;
    if
    :: leave(1)
    :: patience < 2 -> patience++
    fi;
    d_step { /* the receiver */
      if
      :: arrived != NONE ->
        assert(place[arrived_to] == NONE);
        place[arrived_to] = arrived_number;
#if FAULT == 1
        report(arrived_to);
#endif
        if
        :: first[arrived] == NONE -> first[arrived] = arrived_to
        :: else -> assert(second[arrived] == NONE); second[arrived] = arrived_to
        fi
      :: else
      fi;
#ifdef WALK
      printf(" left %d %d at %d %d came %d %d %d", gone[0], gone[1], from[0], from[1], arrived, arrived_number,
             arrived_to);
#endif
      if
      :: reports > 0 ->
        news[0] = to_report[0]; to_report[0] = to_report[1]; to_report[1] = to_report[2]; to_report[2] = 0; reports--
      :: else -> news[0] = NONE
      fi;
#ifdef WALK
      printf(" told %d\n", news[0]);
#endif
      k = 0;
      do
      :: k < PLACES -> assert(image[k] || place[k] == NONE); k++
      :: else -> break
      od;
      arrived = NONE; arrived_number = 0; arrived_to = 0; k = 0
    }
  od
}

ltl serves { []<> served }
