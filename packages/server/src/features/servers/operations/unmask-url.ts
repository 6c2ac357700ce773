import { invalid, maskedUrlProblem, maskUrl } from '@proofmark/domain';
import { refuse } from '../../../platform/operations/action.ts';

/** A masked address that comes back as it was shown means the one that is stored; any other with a mask in it is refused. */
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
