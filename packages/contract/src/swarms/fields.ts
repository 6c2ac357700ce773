import * as z from 'zod';
import { Id } from '../fields.ts';

export const SessionsPerTarget = z.int().min(1).max(100);
export const MaxTurns = z.int().min(1).max(200);

const onlyOnce = (ids: readonly string[]) => new Set(ids).size === ids.length;

export const HostIds = z
  .array(Id)
  .max(100)
  .refine(onlyOnce, 'This list contains an entry twice.')
  .meta({
    description:
      'An addition of Proofmark beyond the specification: the clients to play if no environment is named, each with its own model.',
  });

export const EnvironmentIds = z
  .array(Id)
  .min(1, 'An empty list is not allowed; null clears.')
  .max(100)
  .refine(onlyOnce, 'This list contains an entry twice.');

/** Whether the body contains both numbers or none. One without the other has no meaning. */
export function bothNumbersOrNeither(body: {
  readonly sessionsPerTarget?: unknown;
  readonly maxTurns?: unknown;
}): boolean {
  return (body.sessionsPerTarget === undefined) === (body.maxTurns === undefined);
}

export const numbersTogether = {
  error: 'Send sessionsPerTarget and maxTurns together.',
  path: ['sessionsPerTarget'],
};

export function archivedShape(id: string) {
  return z.object({ id: Id, projectId: Id, archived: z.literal(true) }).meta({ id });
}
