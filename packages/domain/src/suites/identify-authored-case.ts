/**
 * Authored cases get the same identity keys as cases in reports, so that a case in both counts as
 * one case.
 */
import { type CaseIdentityKeys, identifyCase } from '../ingestion/reported-case.ts';
import type { EvalCaseDefinition } from './eval-case.ts';

export function identifyAuthoredCase(
  { title, declaredId, isNegative, steps, advancedConfig }: EvalCaseDefinition,
  sha256Hex: (text: string) => string,
): CaseIdentityKeys {
  const identity = { caseTitle: title, isNegativeTest: isNegative, steps, advancedConfig };
  return identifyCase({ ...identity, caseId: declaredId }, sha256Hex);
}
