import { scopeAllows } from '@proofmark/domain';
import type { ActionContext } from '../../../platform/operations/action.ts';

/**
 * Returns whether the caller may store findings about a server. A key with the reading scope may
 * store nothing.
 */
export function mayStoreHealth({ scope }: ActionContext['caller']): boolean {
  return scopeAllows(scope, 'runs');
}
