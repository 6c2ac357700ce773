/**
 * The decision of the sample: whole when it was made just now, with what it is about and where the console shows it;
 * its verdict alone when it is of an earlier start.
 */
import { renderSummary } from '@proofmark/domain';
import type { SampleReport } from '@proofmark/server';
import { printJson, printLine } from '../../output.ts';
import { terminalAbility } from '../../remote/terminal.ts';

export function announceSampleJson(report: SampleReport, url: string): void {
  const { isNew, runId, summary } = report;
  printJson({ event: 'sample', isNew, runId, url: pageOf(report, url), summary });
}

export function announceSample(report: SampleReport, url: string): void {
  const { summary } = report;
  const { ascii, width } = terminalAbility();
  printLine();
  if (!report.isNew) {
    const [verdict] = renderSummary(summary, { format: 'text', ascii, brief: true }).split('\n');
    printLine(`Sample     ${verdict}`);
    printLine(`           ${pageOf(report, url)}`);
    return;
  }
  for (const line of introduction) printLine(line);
  printLine();
  process.stdout.write(renderSummary(summary, { format: 'text', ascii, width }));
  printLine();
  printLine('See it in the console, after signing in:');
  printLine(pageOf(report, url));
}

const introduction = [
  'A look at what it does: the sample suite was run against the sample bookshop, an',
  'MCP server with two faults. proofmark/lexical-1 chose the tools; it is built in,',
  'goes by words alone and is no LLM.',
];

function pageOf({ projectId, runId }: SampleReport, url: string): string {
  return `${url}/projects/${projectId}/runs/${runId}`;
}
