/**
 * Announces the decision of the sample run: in full if this start made the run, otherwise only the
 * verdict.
 */
import { count } from '@proofmark/domain';
import { journeyRunPage, renderSummary, runPage } from '@proofmark/report';
import { printJson, printLine } from '../../output.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import type { Announced } from './announce.ts';

type SampleReport = import('@proofmark/server').SampleReport;

export function announceSampleJson(
  report: SampleReport,
  { url }: Announced,
  print = printJson,
): void {
  const { isNew, runId, summary, swarm } = report;
  print({
    event: 'sample',
    isNew,
    runId,
    url: pageOf(report, url),
    summary,
    ...(swarm && { swarm: { ...swarm, url: swarmPageOf(report, swarm.runId, url) } }),
  });
}

export function announceSample(report: SampleReport, { url, signInLink }: Announced): void {
  const { summary, caseTitles, assertsNothing, calls, projectId } = report;
  const { ascii, width } = terminalAbility();
  printLine();
  if (!report.isNew) {
    const onOneLine = {
      format: 'text',
      ascii,
      brief: true,
      width: Number.POSITIVE_INFINITY,
    } as const;
    const [verdict] = renderSummary(summary, onOneLine).split('\n');
    printLine(`Sample     ${verdict}`);
    printLine(`           ${pageOf(report, url)}`);
    announceSwarm(report, url);
    return;
  }
  for (const line of introduction) printLine(line);
  printLine();
  const console = { baseUrl: url, projectId };
  const terminal = { format: 'text', ascii, width } as const;
  const words = { ...terminal, caseTitles, assertsNothing, calls, console, namesPage: false };
  process.stdout.write(renderSummary(summary, words));
  printLine();
  printLine(`See it in the console${signInLink ? ', after signing in by the link above' : ''}:`);
  printLine(pageOf(report, url));
  if (report.swarm) printLine();
  announceSwarm(report, url);
}

function announceSwarm(report: SampleReport, url: string): void {
  if (report.swarm === undefined) return;
  const { sessions, findings, runId } = report.swarm;
  const found = `${count(findings, 'finding')} in ${count(sessions, 'session')}`;
  printLine(`Swarm      ${found} with simulated users:`);
  printLine(swarmPageOf(report, runId, url));
}

const introduction = [
  'A sample run, to show what it does: questions to a bookshop, a small MCP server',
  'inside this process that has faults on purpose. The tools were chosen by',
  'proofmark/lexical-1, which is built in, goes by words alone and is no LLM.',
];

function swarmPageOf({ projectId }: SampleReport, runId: string, url: string): string {
  return journeyRunPage({ baseUrl: url, projectId }, runId);
}

function pageOf({ projectId, runId }: SampleReport, url: string): string {
  return runPage({ baseUrl: url, projectId }, runId);
}
