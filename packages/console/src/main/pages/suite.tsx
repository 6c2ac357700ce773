import { SuiteDetailPage } from '../../features/evals/pages/suite.tsx';
import { MutationBlock } from '../../features/mutations/index.ts';

export function SuitePage() {
  return <SuiteDetailPage mutations={(ids, cases) => <MutationBlock ids={ids} cases={cases} />} />;
}
