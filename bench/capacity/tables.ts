import type { Costs, TrialCost } from './costs.ts';
import type { Setup, Simulated } from './simulate.ts';

export function costTable({ machine, trial, row, session }: Costs): string {
  const trialLine = (name: string, cost: TrialCost) =>
    line(name, [
      ms(cost.workerCpu),
      ms(cost.postgresCpu),
      cost.statements.toFixed(1),
      kilobytes(cost.storedBytes),
      kilobytes(cost.walBytes),
    ]);
  return [
    `Measured on ${machine}.`,
    '',
    ...heading(['What', 'CPU of its process', 'CPU of PostgreSQL', 'Statements', 'Stored', 'WAL']),
    trialLine('a trial, eight at once, the model answers at once', trial.together),
    trialLine('a trial, eight at once, the model takes its time', trial.alone),
    line('a reported row, in batches of 200', [
      ms(row.serviceCpu),
      ms(row.postgresCpu),
      row.statements.toFixed(2),
      kilobytes(row.storedBytes),
      kilobytes(row.walBytes),
    ]),
    line('a session kept with an MCP server', [
      `${(session.idleCpu * 1e6).toFixed(0)} µs a second`,
      'none',
      'none',
      `${kilobytes(session.heapBytes)} of memory`,
      'none',
    ]),
    line('a console session', ['none', 'none', 'none', kilobytes(session.consoleSessionBytes), '']),
  ].join('\n');
}

export function processTable({ process }: Costs): string {
  const { idle, holding, connectionsIdle, connectionsBusy } = process;
  return [
    ...heading(['A worker, each second', 'CPU', 'CPU of PostgreSQL', 'Statements', 'Connections']),
    line('without work', [
      ms(idle.workerCpu),
      ms(idle.postgresCpu),
      idle.statements.toFixed(1),
      connectionsIdle.toFixed(0),
    ]),
    line('holding eight slices', [
      ms(holding.workerCpu),
      ms(holding.postgresCpu),
      holding.statements.toFixed(1),
      `at most ${Math.ceil(connectionsBusy)}`,
    ]),
    '',
    `A worker has ${megabytes(process.residentBytes)} of memory, and each of its connections ${megabytes(process.connectionBytes)} in PostgreSQL.`,
  ].join('\n');
}

export function claimTable({ claims, notify, commit }: Costs): string {
  return [
    ...heading(['Open runs', 'A claim holds the lock', 'its CPU', 'finding none', 'its CPU']),
    ...claims.map((one) =>
      line(String(one.groups), [ms(one.held), ms(one.cpu), ms(one.emptyHeld), ms(one.emptyCpu)]),
    ),
    '',
    `A commit takes ${ms(commit)}. Telling of work costs PostgreSQL ${(notify.postgresCpu * 1e6).toFixed(0)} µs for each worker that listens.`,
  ].join('\n');
}

export interface SimulatedRow {
  readonly setup: Setup;
  readonly simulated: Simulated;
  readonly connections: number;
  readonly limits: string;
}

export function simulatedTable(rows: readonly SimulatedRow[]): string {
  return [
    ...heading([
      'Workers',
      'Trials at a time',
      'Trials a second',
      'Cores of PostgreSQL busy',
      'Lock of claims held',
      'Wait for a claim',
      'A worker busy',
      'Connections',
      'At its end',
    ]),
    ...rows.map(({ setup, simulated, connections, limits }) =>
      line(setup.workers.toLocaleString('en'), [
        simulated.underWay.toLocaleString('en', { maximumFractionDigits: 0 }),
        simulated.trialsPerSecond.toLocaleString('en', { maximumSignificantDigits: 3 }),
        `${simulated.postgresBusy.toFixed(2)} of ${setup.postgresCores}`,
        percent(simulated.claimLockBusy),
        ms(simulated.claimWait),
        percent(simulated.workerBusy),
        connections.toLocaleString('en'),
        limits,
      ]),
    ),
  ].join('\n');
}

export function heading(names: readonly string[]): string[] {
  return [`| ${names.join(' | ')} |`, `|${'---|'.repeat(names.length)}`];
}

export function line(name: string, cells: readonly string[]): string {
  return `| ${[name, ...cells].join(' | ')} |`;
}

export function percent(part: number): string {
  return `${(part * 100).toFixed(0)} %`;
}

function ms(seconds: number): string {
  const milliseconds = seconds * 1000;
  return `${milliseconds.toLocaleString('en', { maximumSignificantDigits: milliseconds < 1000 ? 2 : 3 })} ms`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} kB`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
