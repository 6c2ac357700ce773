import type { LintSeverity } from '@proofmark/domain';
import { renderSarif, type SarifFinding, type SarifOptions } from './sarif.ts';

export interface FindingToPlace {
  readonly rule: string;
  readonly severity: LintSeverity;
  readonly serverName: string | null;
  readonly toolNames: readonly string[];
  readonly path: string;
  readonly message: string;
  readonly reason: string;
  /** The file that names the server; absent if the server was given on the command line. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

const levels = { error: 'error', warn: 'warning', info: 'note' } as const;

export function lintSarif(
  findings: readonly FindingToPlace[],
  options: Omit<SarifOptions, 'notExamined'>,
): string {
  return renderSarif(findings.map(sarifOf), options);
}

function sarifOf(finding: FindingToPlace): SarifFinding {
  const { rule, severity, serverName, toolNames, path, message, reason, file, line } = finding;
  const [tool = serverName ?? undefined] = toolNames;
  return {
    rule: { id: rule, text: reason },
    level: levels[severity],
    message: [message, reason],
    file,
    line,
    logicalName: tool,
    identity: [serverName ?? '', ...toolNames, path],
  };
}
