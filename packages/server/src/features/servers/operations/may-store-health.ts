import { scopeAllows } from '@proofmark/domain';
import type { ActionContext } from '../../../platform/operations/action.ts';

/** A key that may only read leaves nothing behind, not even what it found. */
export function mayStoreHealth({ scope }: ActionContext['caller']): boolean {
  return scopeAllows(scope, 'runs');
}
