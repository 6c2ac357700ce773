import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  attachDataRows,
  checkRows,
  type DataRow,
  exampleOf,
  hasData,
  suiteFromFile,
} from '@proofmark/domain';
import { parseSuiteFile } from '@proofmark/server/suite-files';
import { expect, it } from 'vitest';
import { readDataFiles } from './read-data-files.ts';

it('the data file of the guide fits its suite file', async () => {
  const guide = await readFile(
    new URL('../../../../docs/guides/rows-of-data.md', import.meta.url),
    'utf8',
  );

  const block = (kind: string) => new RegExp(`\`\`\`${kind}\n([^]*?)\`\`\``).exec(guide)?.[1] ?? '';
  const folder = await mkdtemp(path.join(tmpdir(), 'guide-'));
  try {
    await writeFile(path.join(folder, 'days.csv'), block('csv'));
    const sent = await readDataFiles(path.join(folder, 'opening-hours.yaml'), block('yaml'));
    const read = parseSuiteFile(sent.content);
    if ('findings' in read) throw new Error(JSON.stringify(read.findings));
    const brought = attachDataRows(read.file, sent.dataFiles as Record<string, DataRow[]>);
    if ('problem' in brought) throw new Error(brought.problem.message);
    const [definition] = suiteFromFile(brought.file).cases;
    if (definition === undefined || !hasData(definition)) throw new Error('There are no rows.');
    expect(definition.data.rows).toHaveLength(3);
    expect(checkRows(definition, () => undefined).next()).toEqual({ done: true, value: undefined });
    expect(exampleOf(definition)).toMatchObject({
      steps: [
        { prompt: 'When are you open on Monday?' },
        { assertion: { args: { args: { day: 'Monday' } } } },
      ],
      expectedOutput: '9 to 17',
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
