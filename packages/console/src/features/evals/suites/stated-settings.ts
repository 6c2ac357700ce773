import type { EvalSuiteDetail } from '@proofmark/contract';
import type { SuiteSettings } from '@proofmark/domain';

/** Unset fields are null in the API and absent in the domain. */
export function statedSettings(settings: EvalSuiteDetail['settings']): SuiteSettings {
  const { judge, verdictPolicyVersion: _version, ...rest } = settings;
  const { enabled, autoRun } = judge;
  const stated = Object.entries(rest).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(stated), judge: { enabled, autoRun } } as SuiteSettings;
}
