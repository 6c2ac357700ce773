import { randomBytes } from 'node:crypto';
import { type IdKind, makeId } from '@proofmark/domain';

export function makeNewId(kind: IdKind): string {
  return makeId(kind, Date.now(), randomBytes(10));
}
