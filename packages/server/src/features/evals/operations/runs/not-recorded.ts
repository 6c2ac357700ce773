import type { Refusal } from '@proofmark/domain';

export function notRecorded(why: string): Refusal {
  const message = `${why} Only a run whose trials were recorded can be replayed.`;
  return { code: 'CONFLICT', message, details: { reason: 'NOT_RECORDED' } };
}
