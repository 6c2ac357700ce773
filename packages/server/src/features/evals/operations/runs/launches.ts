/**
 * Limits how many launches of this process wait in the database. Launches of one organization run
 * one after another there, so many of them could otherwise use up the connections that others need.
 * A launch whose caller has meanwhile got a timeout does not start.
 */
import { Semaphore } from '@proofmark/domain';

export const launches = new Semaphore(3);
