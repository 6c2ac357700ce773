import { scopeAllows } from '@proofmark/domain';
import type { ActionContext } from '../../../platform/operations/action.ts';

/** A key with the reading scope may store nothing. */
export function mayStoreHealth({ scope }: ActionContext['caller']): boolean {
  return scopeAllows(scope, 'runs');
}
