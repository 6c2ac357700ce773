/** What others may use of this feature. */
export { FindingRow } from './finding-row.tsx';
export { InsightsBlock } from './insights-block.tsx';
export { LintFindings } from './lint-findings.tsx';
