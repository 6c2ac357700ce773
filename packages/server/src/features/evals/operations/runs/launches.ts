/**
 * Limits how many launches of this process wait for the database. Launches of one organization run
 * one after another, so many waiting launches could use up the database connections of other
 * requests. A launch whose caller timed out during the wait does not start.
 */
import { Semaphore } from '@proofmark/domain';

export const launches = new Semaphore(3);
