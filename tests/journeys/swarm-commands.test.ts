import { writeFileSync } from 'node:fs';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import {
  type ProjectApi,
  projectApi,
  type StockServers,
  startStockServers,
} from '@proofmark/harness/journeys/stock-servers.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSharedWorkspace } from './ready-workspace.ts';

const workspace = createSharedWorkspace();
let service: ServiceHere;
let key: string;
let ask: ProjectApi;
let stock: StockServers;

beforeAll(async () => {
  stock = await startStockServers();
  service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
  const made = await workspace.admin(
    ...['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'],
    ...['--project', 'Default'],
  );
  key = made.apiKey;
  await workspace.admin('set-feature', 'Acme', 'swarms', 'on');
  ask = projectApi(service.url, made.projectId, key);
  const server = { name: 'stock', enabled: true, transportType: 'http', url: stock.url };
  const { id: serverId } = await ask('POST', 'servers', server);
  const config = { modelId: 'proofmark/lexical-1', serverIds: [serverId] };
  const { id: hostId } = await ask('POST', 'clients', { name: 'Desk', config });
  for (const name of ['Shop', 'Depot']) await ask('POST', 'environments', { name, hostId });
});
afterAll(async () => {
  stock?.release();
  await workspace.remove();
  await stock?.stop();
});

async function proofmark(...parameters: string[]) {
  const environment = {
    PROOFMARK_URL: service.url,
    PROOFMARK_API_KEY: key,
    LC_ALL: 'C.UTF-8',
  };
  const done = await workspace.runHere(parameters, environment);
  const long = done.stdout.split('\n').filter((line) => [...line].length > 80);
  // Addresses are never cut, so that they can be copied. JSON lines are not cut either.
  expect(long.filter((line) => !line.includes('/projects/') && line[0] !== '{')).toEqual([]);
  return done;
}

const rubric = [{ id: 'counts', label: 'Counts', predicate: { type: 'noToolErrors' } }];

describe('personas, swarms and journeys', () => {
  test('are made by flags and by a file, and flags win', async () => {
    expect((await proofmark('persona', 'list')).stdout).toMatch(/^No personas yet\. Make one: /);
    const ann = await proofmark('persona', 'create', '--name', 'Ann', '--role', 'Storekeeper');
    expect(ann.stdout).toMatch(/^Made persona Ann\.\nNext: .* --persona per_\w+\n$/);
    const file = JSON.stringify({ name: 'Bo', role: 'Auditor', notes: 'Counts twice.' });
    writeFileSync(`${workspace.folder}/bo.json`, file);
    const bo = await proofmark('persona', 'create', 'bo.json', '--role', 'Sceptic', '--json');
    expect(JSON.parse(bo.stdout)).toMatchObject({ name: 'Bo', role: 'Sceptic' });
    expect((await proofmark('persona', 'show', 'Bo')).stdout).toMatch(
      /^Persona: Bo\nId: {6}per_\w+\nRole: {4}Sceptic\nNotes: {3}Counts twice\.\n$/,
    );
    expect((await proofmark('persona', 'list')).stdout).toMatch(
      /^ID +NAME AND ROLE\nper_\w+ +Bo, Sceptic\nper_\w+ +Ann, Storekeeper\n$/,
    );
  });

  test('a journey starts from the values of its swarm, and says who plays and who judges', async () => {
    const numbers = ['--sessions', '2', '--turns', '4'];
    const where = ['--environment', 'Shop', '--environment', 'Depot'];
    const swarm = await proofmark(
      'swarm',
      'create',
      '--name',
      'Stock-taking',
      ...numbers,
      ...where,
    );
    expect(swarm.stdout).toMatch(/^Made swarm Stock-taking\.\nNext: /);
    writeFileSync(`${workspace.folder}/journey.json`, JSON.stringify({ rubric }));
    const goal = 'Count the stock of the item "pens".';
    const made = await proofmark(
      ...['journey', 'create', 'journey.json', '--persona', 'Ann', '--swarm', 'Stock-taking'],
      ...['--goal', goal, '--name', 'Count pens', '--turns', '3'],
    );
    expect(made.stdout).toMatch(
      /^Made journey Count pens\.\nRun it: proofmark journey run jny_\w+/,
    );
    const shown = (await proofmark('journey', 'show', 'Count pens')).stdout;
    expect(shown).toMatch(/^Persona: +Ann, Storekeeper$/m);
    expect(shown).toMatch(/^Targets: +Shop, Depot$/m);
    expect(shown).toMatch(/^Sessions: +2 sessions on each target, at most 3 turns each$/m);
    expect(shown).toMatch(/^Played by: +proofmark\/scripted-user-1$/m);
    expect(shown).toMatch(/^Judged by: +nobody$/m);
    expect(shown).toMatch(/^Check 1: +Counts: No tool fails$/m);
    expect((await proofmark('journey', 'list')).stdout).toMatch(
      /^ID +TARGETS +CHECKS +NAME\njny_\w+ +2 +1 +Count pens\n$/,
    );
    expect((await proofmark('swarm', 'list')).stdout).toMatch(/^swm_\w+ +2 +4 +Stock-taking$/m);
    expect((await proofmark('swarm', 'show', 'Stock-taking')).stdout).toMatch(
      /^Journeys: +Count pens \(jny_\w+\)$/m,
    );
  });

  test('long names stay within the line', async () => {
    const name =
      'A journey with a name that is far too long for one line of a terminal, and goes on';
    await proofmark(
      'journey',
      'create',
      '--persona',
      'Ann',
      '--goal',
      'Say "hello".',
      '--name',
      name,
    );
    expect((await proofmark('journey', 'list')).stdout).toMatch(/A journey with .*\.\.\.$/m);
  });

  test.each([
    ['a file that is no object', ['persona', 'create', 'list.json'], /one JSON object/],
    ['what the service refuses', ['persona', 'create', '--name', 'Cy'], /role/],
    ['a number that is none', ['swarm', 'create', '--sessions', 'many'], /Give a number/],
  ])('%s ends with 2', async (_name, parameters, sentence) => {
    writeFileSync(`${workspace.folder}/list.json`, '[1]');
    const done = await proofmark(...parameters);
    expect(done.stderr).toMatch(sentence);
    expect(done).toMatchObject({ code: 2, stdout: '' });
  });

  test('an unknown persona ends with 3 and says where to look', async () => {
    const done = await proofmark('journey', 'create', '--goal', 'x', '--persona', 'Nobody');
    expect(done.stderr).toMatch(/no persona "Nobody".*`proofmark persona list`\./);
    expect(done).toMatchObject({ code: 3, stdout: '' });
  });
});

describe('journey run --wait', () => {
  test('tells every target, names who played, and ends with 0 where all checks held', async () => {
    const done = await proofmark('journey', 'run', 'Count pens', '--wait');
    expect(done.stderr).toMatch(/^proofmark: 4 sessions on 2 targets, at most 3 turns each\.$/m);
    expect(done.stderr).toMatch(/^proofmark: the assistant is proofmark\/lexical-1, the user is/m);
    expect(done.stderr).toMatch(/^proofmark: this costs nothing\.$/m);
    expect(done.stderr).toMatch(/^proofmark: run jrn_\w+ has started\.$/m);
    expect(done.stderr).toMatch(/^proofmark: Shop: \d of 2 sessions done\.$/m);
    expect(done.stderr).toMatch(/^proofmark: Depot: \d of 2 sessions done\.$/m);
    expect(done.stdout).toMatch(/^PASSED: the check held in 4 graded sessions\.\n/);
    expect(done.stdout).toContain('4 of 4 sessions played to their end.\n');
    expect(done.stdout).toContain('The user is played by proofmark/scripted-user-1, a script;');
    expect(done.stdout).toMatch(/the goal is\s+judged\s+by\s+nobody\./);
    expect(done.stdout).toMatch(/^ {2}Shop \(proofmark\/lexical-1\): 2 of 2 sessions played/m);
    expect(done.stdout).toMatch(/^ {2}Counts: held in 4 of 4 graded/m);
    expect(done.code).toBe(0);
  });

  test('ends with 1 where a check did not hold, and the finding is listed and hidden', async () => {
    const { items } = await ask('GET', 'personas');
    const predicate = { type: 'toolCalledAtLeastOnce', toolName: 'weigh' };
    const { items: environments } = await ask('GET', 'environments');
    await ask('POST', 'journeys', {
      name: 'Weigh pens',
      goal: 'Count the stock of the item "pens".',
      maxTurns: 3,
      personaId: items[0].id,
      environmentIds: [environments[0].id],
      sessionsPerTarget: 2,
      rubric: [{ id: 'weighs', label: 'Weighs', predicate }],
    });
    const done = await proofmark('journey', 'run', 'Weigh pens', '--wait', '--wave', 'monday');
    expect(done.stdout).toMatch(
      /^FAILED: the check “Weighs” did not hold in 2 of 2 graded sessions\./,
    );
    expect(done.stdout).toMatch(/^ {2}Weighs: held in 0 of 2 graded/m);
    expect(done.code).toBe(1);
    const runId = /jrn_\w+/.exec(done.stderr)?.[0] as string;
    const again = await proofmark('journey', 'scorecard', runId);
    expect(again).toMatchObject({ code: 0, stdout: done.stdout });
    const json = JSON.parse((await proofmark('journey', 'scorecard', runId, '--json')).stdout);
    expect(json).toMatchObject({ run: { id: runId }, scorecard: { sessionsGraded: 2 } });
    await until(async () => (await ask('GET', 'waves/monday')).mined, 'the wave is mined');
    const findings = await proofmark('findings');
    expect(findings.stdout).toMatch(/^ {2}new: 2 of 2 graded sessions, seen in 1 wave/m);
    expect(findings.stdout).toMatch(/^ {2}Next: /m);
    const findingId = /fnd_\w+/.exec(findings.stdout)?.[0] as string;
    expect((await proofmark('findings', '--dismiss', findingId)).stdout).toBe(
      `Finding ${findingId} is dismissed.\n`,
    );
    expect((await proofmark('findings')).stdout).not.toContain(findingId);
    expect((await proofmark('findings', '--all')).stdout).toContain(findingId);
    expect((await proofmark('findings', '--undismiss', findingId)).stdout).toContain('is shown.');
  });

  test('ends with 3 where nothing was graded, and with 2 where it cannot be played', async () => {
    const { items } = await ask('GET', 'environments');
    const free = await proofmark(
      ...[
        'journey',
        'create',
        '--persona',
        'Ann',
        '--goal',
        'Say "hello" to me.',
        '--name',
        'Free',
      ],
      ...['--environment', items[0].name, '--sessions', '1', '--turns', '2'],
    );
    expect(free.code).toBe(0);
    const done = await proofmark('journey', 'run', 'Free', '--wait');
    expect(done.stdout).toMatch(/^NOT ESTABLISHED: the journey has no checks, so nothing was/);
    expect(done.code).toBe(3);
    await proofmark(
      'journey',
      'create',
      '--persona',
      'Ann',
      '--goal',
      'Go nowhere.',
      '--name',
      'Lost',
    );
    const lost = await proofmark('journey', 'run', 'Lost', '--wait');
    expect(lost).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('drafts, comparisons and cases', () => {
  test('personas and journeys are drafted from the tools, and nothing is stored', async () => {
    const stored = async () =>
      (await ask('GET', 'personas')).items.length + (await ask('GET', 'journeys')).items.length;
    const before = await stored();
    const where = ['--environment', 'Shop', '--journeys', '1'];
    const personas = await proofmark('persona', 'draft', ...where, '--count', '2');
    expect(personas.stderr).toBe('');
    expect(personas.stdout.match(/^Persona: .+, .+$/gm)).toHaveLength(2);
    expect(personas.stdout).toMatch(/^ {4}Goal: /m);
    expect(personas.stdout).toMatch(/^ {4}Check: \w+ is called$/m);
    expect(personas.stdout).toMatch(/^Drafted by proofmark\/drafter-1; nothing is stored\.$/m);
    const journeys = await proofmark('journey', 'draft', ...where, '--persona', 'Ann', '--json');
    expect(JSON.parse(journeys.stdout)).toMatchObject({
      generationModel: 'proofmark/drafter-1',
      journeys: [{ goal: expect.any(String) }],
    });
    expect(await stored()).toBe(before);
    const nowhere = await proofmark('persona', 'draft', '--environment', 'Nowhere');
    expect(nowhere).toMatchObject({ code: 3, stdout: '' });
  });

  test('two waves are compared, and too few conversations decide nothing', async () => {
    for (const wave of ['tuesday', 'wednesday']) {
      expect((await proofmark('journey', 'run', 'Count pens', '--wait', '--wave', wave)).code).toBe(
        0,
      );
    }
    const done = await proofmark('journey', 'compare', 'wednesday', 'tuesday');
    expect(done.stdout).toMatch(
      /^NOT ESTABLISHED: too few distinct conversations to compare with tuesday\./,
    );
    expect(done.stdout).toMatch(
      /^Count pens\n {2}“Counts” in Shop: held in (\d) of \1, before in \1/m,
    );
    expect(done.code).toBe(3);
    const json = await proofmark('journey', 'compare', 'wednesday', 'tuesday', '--json');
    expect(JSON.parse(json.stdout).rows).toHaveLength(2);
    const unknown = await proofmark('journey', 'compare', 'wednesday', 'never');
    expect(unknown).toMatchObject({ code: 3, stdout: '' });
  });

  test('a wave that is still played is not compared', async () => {
    stock.hold();
    const on = ['journey', 'run', 'Count pens', '--wave', 'thursday'];
    expect((await proofmark(...on)).code).toBe(0);
    const done = await proofmark('journey', 'compare', 'thursday', 'tuesday');
    stock.release();
    expect(done.stdout).toMatch(/^NOT ESTABLISHED: the wave has not ended\.$/m);
    expect(done.code).toBe(3);
    await until(async () => (await ask('GET', 'waves/thursday')).terminal, 'the wave has ended');
    const after = await proofmark('journey', 'compare', 'thursday', 'tuesday');
    expect(after.stdout).toMatch(/^NOT ESTABLISHED: too few distinct conversations/);
  });

  test('a session becomes a case of a suite, with its words', async () => {
    const { items: servers } = await ask('GET', 'servers');
    const given = { serverName: 'stock', toolName: 'count_stock', arguments: { item: 'pens' } };
    const { suiteId } = await ask('POST', 'eval-suites', {
      name: 'Kept',
      serverIds: [servers[0].id],
      model: 'proofmark/lexical-1',
      tests: [{ title: 'Count', steps: [{ id: 'count', kind: 'toolCall', ...given }] }],
    });
    const { items: runs } = await ask('GET', `journeys/${await idOfJourney('Weigh pens')}/runs`);
    const { items } = await ask('GET', `journey-runs/${runs[0].id}/sessions`);
    const which = [runs[0].id, items[0].id, '--suite', 'Kept'];
    const made = await proofmark('journey', 'make-case', ...which, '--title', 'Weighed');
    expect(made.stderr).toBe('');
    expect(made.stdout).toBe(`Made case Weighed.\nRun it: proofmark eval run ${suiteId} --wait\n`);
    const withCalls = await proofmark('journey', 'make-case', ...which, '--expect-calls', '--json');
    expect(JSON.stringify(JSON.parse(withCalls.stdout))).toContain('toolCalledWith');
    const { items: cases } = await ask('GET', `eval-suites/${suiteId}/cases`);
    expect(cases).toHaveLength(3);
    const ours = cases.find(({ title }: { title: string }) => title === 'Weighed');
    expect(JSON.stringify(ours)).toContain('Count the stock of the item');
    expect(JSON.stringify(ours)).not.toContain('toolCalledWith');
    const failed = await proofmark('eval', 'run', 'Kept', '--wait');
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringMatching(/^FAILED: /) });
  });
});

async function idOfJourney(name: string): Promise<string> {
  const { items } = await ask('GET', 'journeys');
  return items.find((journey: { name: string }) => journey.name === name).id;
}
