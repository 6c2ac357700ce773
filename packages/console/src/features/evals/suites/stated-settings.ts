import type { EvalSuiteDetail } from '@proofmark/contract';
import type { SuiteSettings } from '@proofmark/domain';

/** Returns the settings for the rules of the domain, where unset fields are absent. */
export function statedSettings(settings: EvalSuiteDetail['settings']): SuiteSettings {
  const { judge, verdictPolicyVersion: _version, ...rest } = settings;
  const { enabled, autoRun } = judge;
  const stated = Object.entries(rest).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(stated), judge: { enabled, autoRun } } as SuiteSettings;
}
