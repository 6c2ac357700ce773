import type { ScenarioDetail } from '@proofmark/contract';
import type { ScenarioIds } from './data/user-testing.ts';

export interface SettingsProps {
  readonly ids: ScenarioIds;
  readonly scenario: ScenarioDetail;
}
