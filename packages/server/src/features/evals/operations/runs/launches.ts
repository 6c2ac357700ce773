/**
 * Launches of one organization follow each other in the database. Those of one process wait here already, a few at
 * once, so that a crowd of them does not hold the connections that others need. A launch whose caller was told
 * meanwhile that it took too long does not begin any more.
 */
import { Semaphore } from '@proofmark/domain';

export const launches = new Semaphore(3);
