import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defaultWidgetMemoryMb } from '@proofmark/domain';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { serveCommand } from '../../packages/cli/src/commands/serve.ts';
import { workCommand } from '../../packages/cli/src/commands/work.ts';
import { settingRows } from '../../packages/server/src/main/settings.ts';
import { sandboxNeeds } from '../../packages/server/src/outside/browser/sandbox-needs.ts';
import { repositoryRoot } from '../architecture/repository-root.ts';
import { readContainerfile } from './read-containerfile.ts';

const readText = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');
const files = ['Containerfile', 'compose.yaml', 'proofmark.service', 'proofmark-worker@.service'];
const units = files.filter((file) => file.endsWith('.service'));
const container = readContainerfile(readText('deploy/Containerfile'));
const compose = parse(readText('deploy/compose.yaml'), { merge: true });
/** The time, stated in the guide, in which the service lets open work end. */
const longestStopSeconds = 30;

test.each(files)('%s names only settings there are', (file) => {
  const known = new Set(Object.values(settingRows).flatMap((row) => row.environment));
  const named = readText(`deploy/${file}`).match(/PROOFMARK_\w+/g) ?? [];
  const unknown = named.filter((name) => name !== 'PROOFMARK_CONFIG' && !known.has(name));
  expect(unknown).toEqual([]);
});

describe('the commands that are started', () => {
  const commands: Record<string, Command> = { serve: serveCommand(), work: workCommand() };
  const started: [string, string[]][] = [
    ...units.map((unit): [string, string[]] => [
      unit,
      directives(unit).get('ExecStart')?.[0]?.split('/main.js ')[1]?.split(' ') ?? [],
    ]),
    ['CMD', container.last.find(({ name }) => name === 'CMD')?.list ?? []],
    ['service', compose.services.service.command],
    ['worker', compose.services.worker.command],
  ];

  test.each(started)('%s: %j', (_, [name = '', ...parameters]) => {
    const command = commands[name] as Command;
    expect(command, name).toBeDefined();
    const flags = parameters.filter((parameter) => parameter.startsWith('--'));
    const known = command.options.map(({ long }) => long);
    expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
  });
});

describe('the container file', () => {
  test('copies what is there, and the manifest of every package', () => {
    const copied = container.all
      .filter(({ name, text }) => name === 'COPY' && !text.includes('--from='))
      .flatMap(({ text }) => text.split(/\s+/).slice(0, -1));
    for (const file of copied) expect(existsSync(path.join(repositoryRoot, file)), file).toBe(true);
    const manifests = readdirSync(path.join(repositoryRoot, 'packages')).map(
      (name) => `packages/${name}/package.json`,
    );
    expect(copied.filter((file) => file.startsWith('packages/')).sort()).toEqual(manifests.sort());
  });

  test('takes into the last stage only what other stages made, and the licence', () => {
    const copies = container.last.filter(({ name }) => ['COPY', 'ADD'].includes(name));
    expect(copies.map(({ text }) => text)).toEqual([
      '--from=dependencies /proofmark/package.json ./',
      '--from=dependencies /proofmark/node_modules ./node_modules',
      '--from=dependencies /proofmark/packages ./packages',
      '--from=build /proofmark/packages/cli/dist ./packages/cli/dist',
      '--from=build /proofmark/packages/console/dist ./packages/console/dist',
      'LICENSE ./',
    ]);
  });

  test('runs as no root, asks a probe that is served, and is given no secret', () => {
    const names = container.last.map(({ name }) => name);
    expect(container.last.find(({ name }) => name === 'USER')?.text).toBe('node');
    expect(names.indexOf('USER')).toBeLessThan(names.indexOf('ENTRYPOINT'));
    expect(names.indexOf('USER')).toBeGreaterThan(names.lastIndexOf('RUN'));
    const check = container.last.find(({ name }) => name === 'HEALTHCHECK')?.text ?? '';
    const [, probe = ''] = /http:\/\/127\.0\.0\.1:3300(\/\w+)/.exec(check) ?? [];
    expect(readText('packages/server/src/platform/http/probe-routes.ts')).toContain(
      `'GET', '${probe}'`,
    );
    const secrets = Object.values(settingRows)
      .filter((row) => row.secret)
      .flatMap((row) => row.environment);
    const text = readText('deploy/Containerfile');
    expect(secrets.filter((name) => text.includes(name))).toEqual([]);
    expect(container.all.filter(({ name }) => name === 'ARG')).toEqual([]);
  });

  test('what is installed, built, kept or secret here is not sent to the build', () => {
    const ignored = readText('.dockerignore').split('\n');
    for (const place of ['.git', '**/node_modules', '**/dist', '**/.proofmark', 'deploy/secrets']) {
      expect(ignored).toContain(place);
    }
  });
});

describe('the compose file', () => {
  const services: Record<string, Record<string, unknown>> = compose.services;

  test('has a PostgreSQL, one service and two workers, each started again and stopped gently', () => {
    expect(Object.keys(services)).toEqual(['postgres', 'service', 'worker']);
    expect(compose.services.worker.deploy).toEqual({ replicas: 2 });
    for (const service of Object.values(services)) {
      expect(service['restart']).toBe('unless-stopped');
      expect(Number.parseInt(String(service['stop_grace_period']), 10)).toBeGreaterThan(
        longestStopSeconds,
      );
    }
  });

  test('starts each after what it needs is healthy', () => {
    expect(compose.services.postgres.healthcheck.test).toContain('pg_isready');
    expect(compose.services.service.depends_on).toEqual({
      postgres: { condition: 'service_healthy' },
    });
    expect(compose.services.service.healthcheck).toBeUndefined();
    expect(compose.services.worker.depends_on).toEqual({
      service: { condition: 'service_healthy' },
    });
  });

  test('takes its secrets from files that no repository holds, and from nowhere else', () => {
    const defined = Object.keys(compose.secrets);
    for (const { file } of Object.values<{ file: string }>(compose.secrets)) {
      expect(file).toMatch(/^\.\/secrets\//);
    }
    expect(readText('.gitignore')).toContain('/deploy/secrets/');
    for (const service of Object.values(services)) {
      const used = (service['secrets'] as (string | { source: string })[]).map((secret) =>
        typeof secret === 'string' ? secret : secret.source,
      );
      expect(used.filter((name) => !defined.includes(name))).toEqual([]);
      const names = Object.keys(service['environment'] as object);
      expect(names.filter((name) => /PASSWORD$|SECRET|TOKEN|DATABASE_URL/.test(name))).toEqual([]);
    }
  });

  test('is published on this host alone, and what runs of ours can write nowhere', () => {
    expect(compose.services.service.ports).toEqual(['127.0.0.1:3300:3300']);
    expect(compose.services.worker.ports).toBeUndefined();
    for (const name of ['service', 'worker']) {
      expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    }
  });

  test('bounds the memory of each, that of ours above what the browser of widgets may hold', () => {
    for (const [name, service] of Object.entries(services)) {
      const most = gigabytes(String(service['mem_limit']));
      expect([name, most]).toEqual([name, expect.any(Number)]);
      if (name !== 'postgres') expect(most).toBeGreaterThan((1.5 * defaultWidgetMemoryMb) / 1024);
    }
  });

  test('builds with the container file that is there', () => {
    expect(compose.services.service.build).toEqual({
      context: '..',
      dockerfile: 'deploy/Containerfile',
    });
  });
});

describe.each(units)('%s', (unit) => {
  test('is closed, is started again, and has time to stop its own PostgreSQL', () => {
    const given = directives(unit);
    for (const [name, value] of Object.entries({
      User: 'proofmark',
      ProtectSystem: 'strict',
      ProtectHome: 'yes',
      NoNewPrivileges: 'yes',
      KillSignal: 'SIGTERM',
      KillMode: 'mixed',
      Restart: 'on-failure',
      CapabilityBoundingSet: '',
    })) {
      expect([name, given.get(name)]).toEqual([name, [value]]);
    }
    // initdb cannot look up a dynamic user if the system has no name for the user.
    expect(given.has('DynamicUser')).toBe(false);
    expect(Number(given.get('TimeoutStopSec')?.[0])).toBeGreaterThan(longestStopSeconds);
    const [, program = ''] =
      /\/opt\/proofmark\/(\S+)/.exec(given.get('ExecStart')?.[0] ?? '') ?? [];
    expect(container.last.find(({ name }) => name === 'ENTRYPOINT')?.list).toEqual([
      'node',
      program,
    ]);
  });

  test('lets the browser of widgets make its sandbox, and see its processes to bound their memory', () => {
    const given = directives(unit);
    const namespaces = given.get('RestrictNamespaces')?.at(-1)?.split(' ') ?? [];
    for (const kind of sandboxNeeds.namespaces) expect(namespaces).toContain(kind);
    expect(namespaces).toHaveLength(sandboxNeeds.namespaces.length);
    expect(given.get('ProtectProc')).toEqual(['default']);
    expect(given.has('MemoryDenyWriteExecute')).toBe(false);
    // systemd adds later filters to earlier ones.
    const filters = given.get('SystemCallFilter') ?? [];
    const added = filters
      .slice(filters.indexOf('~@privileged') + 1)
      .join(' ')
      .split(' ');
    for (const call of sandboxNeeds.privilegedCalls) expect(added).toContain(call);
    expect(sandboxNeeds.privilegedCalls).toHaveLength(added.length);
  });

  test('has a bound on its memory above that of the browser, which takes no other process with it', () => {
    const given = directives(unit);
    expect(gigabytes(given.get('MemoryMax')?.[0])).toBeGreaterThan(
      (1.5 * defaultWidgetMemoryMb) / 1024,
    );
    expect(given.get('OOMPolicy')).toEqual(['continue']);
  });

  test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('systemd finds no fault with it', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'proofmark-unit-'));
    try {
      const file = path.join(folder, unit);
      // The path of Node differs between hosts, and systemd checks that it exists.
      const text = readText(`deploy/${unit}`).replace('/usr/bin/node', process.execPath);
      writeFileSync(file, text);
      const analyze = (...parameters: string[]) =>
        spawnSync('/usr/bin/systemd-analyze', parameters, { encoding: 'utf8' });
      const instance = file.replace('@.', '@1.');
      if (instance !== file) writeFileSync(instance, text);
      // systemd only prints a warning for an unknown key, so the output must be empty too.
      expect(analyze('verify', '--man=no', instance)).toMatchObject({ status: 0, stderr: '' });
      // The threshold is 2.5 of 10 points (in tenths). The sandbox of the widgets' browser costs
      // half a point.
      expect(analyze('security', '--offline=true', '--threshold=25', file).status).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function gigabytes(given = ''): number {
  expect(given).toMatch(/^\d+g$/i);
  return Number.parseInt(given, 10);
}

function directives(unit: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, name = '', value = ''] of readText(`deploy/${unit}`).matchAll(/^(\w+)=(.*)$/gm)) {
    found.set(name, [...(found.get(name) ?? []), value]);
  }
  return found;
}
