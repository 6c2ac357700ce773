export { FindingRow } from './finding-row.tsx';
export { InsightsBlock } from './insights-block.tsx';
export { LintFindings } from './lint-findings.tsx';
export { TokenTable } from './token-table.tsx';
