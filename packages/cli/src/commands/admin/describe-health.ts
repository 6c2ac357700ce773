import type { Health } from '@proofmark/contract';
import { bytesText, durationText, healthProblemWords, workWords } from '@proofmark/domain';

export interface HealthTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function describeHealth(health: Health): {
  readonly lines: readonly string[];
  readonly work: HealthTable;
  readonly workers: HealthTable;
} {
  const { problems, database, openRuns, disk, widgets } = health;
  const size = database.sizeBytes === null ? 'size unknown' : bytesText(database.sizeBytes);
  return {
    lines: [
      ...(problems.length === 0
        ? ['No problems.']
        : problems.map((problem) => healthProblemWords[problem])),
      '',
      `Proofmark ${health.version}`,
      `PostgreSQL ${database.version}, ${size}`,
      `Open runs: ${openRuns.launched} launched, ${openRuns.reported} reported`,
      disk === null ? 'Disk: unknown' : diskLine(disk),
      ...widgetLines(widgets),
    ],
    work: {
      header: ['WORK', 'WAITING', 'LEASED', 'SILENT', 'LONGEST WAIT'],
      rows: health.work.map((work) => [
        workWords[work.kind] ?? work.kind,
        String(work.waiting),
        String(work.leased),
        String(work.silent),
        durationText(work.longestWaitSeconds),
      ]),
    },
    workers: {
      header: ['WORKER', 'PROCESS', 'VERSION', 'SLOTS', 'LAST BEAT', 'STATE'],
      rows: health.workers.map((worker) => [
        worker.host,
        String(worker.processId),
        worker.version,
        String(worker.trialsAtOnce),
        `${durationText(worker.secondsSinceBeat)} ago`,
        worker.silent ? 'silent' : 'alive',
      ]),
    },
  };
}

function widgetLines({ reason, browser, warnings, foundBy }: Health['widgets']): readonly string[] {
  if (browser === null) return [`Widgets: not tested, as found by ${foundBy}. ${reason}`];
  const { version, user, sandboxed } = browser;
  const how = `as the user ${user}, ${sandboxed ? 'with' : 'without'} its sandbox`;
  return [
    `Widgets: can be tested, in Chromium ${version}, ${how}, as found by ${foundBy}`,
    ...warnings,
  ];
}

function diskLine(disk: NonNullable<Health['disk']>): string {
  const freeSpace = `Disk: ${bytesText(disk.freeBytes)} of ${bytesText(disk.totalBytes)} free`;
  return disk.holdsDatabase ? freeSpace : `${freeSpace}; that of PostgreSQL may be another`;
}
