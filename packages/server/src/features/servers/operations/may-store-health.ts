import { scopeAllows } from '@proofmark/domain';
import type { ActionContext } from '../../../platform/operations/action.ts';

/**
 * Returns false for a key with the reading scope, which may store nothing, not even its findings.
 */
export function mayStoreHealth({ scope }: ActionContext['caller']): boolean {
  return scopeAllows(scope, 'runs');
}
