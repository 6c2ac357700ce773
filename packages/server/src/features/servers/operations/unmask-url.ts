import { invalid, maskedUrlProblem, maskUrl } from '@proofmark/domain';
import { refuse } from '../../../platform/operations/action.ts';

/**
 * Replaces a masked address that equals the shown one with the stored address. Any other address
 * that contains a mask is rejected.
 */
export function unmaskUrl<Given extends string | null | undefined>(
  path: string,
  given: Given,
  stored: string | null,
): Given | string {
  if (typeof given !== 'string') return given;
  if (stored !== null && given === maskUrl(stored)) return stored;
  const problem = maskedUrlProblem(given);
  return problem === undefined ? given : refuse(invalid(path, problem));
}
