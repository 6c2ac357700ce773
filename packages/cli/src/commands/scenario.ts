/** `proofmark scenario …`: environments that people are given a link to. */
import type { OutputOf } from '@proofmark/contract';
import { cleanText, count } from '@proofmark/domain';
import { Command } from 'commander';
import { given } from '../remote/create-command.ts';
import { doCommand } from '../remote/do-command.ts';
import { findEnvironmentIds, findScenarioId } from '../remote/find-id.ts';
import { listingCommand } from '../remote/listing-command.ts';
import { showCommand } from '../remote/show-command.ts';

export function scenarioCommand(): Command {
  return new Command('scenario')
    .description('publish environments to people with a link, and close them again')
    .addCommand(list())
    .addCommand(show())
    .addCommand(publish())
    .addCommand(unpublish())
    .addCommand(rotate())
    .addCommand(invite());
}

function list(): Command {
  return listingCommand<OutputOf<'listScenarios'>['items'][number]>({
    description: 'list the published scenarios of a project',
    readPage: ({ client, projectId }, page) => client.listScenarios({ projectId, ...page }),
    none: 'Nothing is published. Publish an environment: proofmark scenario publish NAME',
    header: ['ID', 'OPEN TO', 'NAME'],
    row: ({ id, mode, name }, ascii) => [id, mode ?? '', cleanText(name, ascii)],
  });
}

function show(): Command {
  return showCommand<OutputOf<'getScenario'>>({
    what: 'scenario',
    description: 'show what a scenario plays, who may open it, and its link',
    read: async (connection, wanted) =>
      connection.client.getScenario({
        projectId: connection.projectId,
        scenarioId: await findScenarioId(connection, wanted),
      }),
    facts: (scenario) => [
      ['Scenario', scenario.name],
      ['Id', scenario.id],
      ['Open to', scenario.mode ?? 'nobody'],
      ['Link', scenario.link?.url ?? 'none'],
      ['Client', scenario.hostName ?? 'unknown'],
      ['Model', scenario.modelId ?? 'unknown'],
      ['Servers', scenario.serverNames.join(', ') || 'none'],
      ['Credentials', credentialsOf(scenario)],
      ['Approval', scenario.requireToolApproval ? 'visitors approve each call' : 'calls just run'],
      ['Guests', guestsOf(scenario)],
      ...(scenario.environmentError
        ? [['Closed', scenario.environmentError.message] as const]
        : []),
    ],
  });
}

function credentialsOf({ credentialedServerNames }: OutputOf<'getScenario'>): string {
  if (credentialedServerNames.length === 0) return 'none are used';
  return `visitors act with those saved for ${credentialedServerNames.join(', ')}`;
}

function guestsOf({ guestExecution }: OutputOf<'getScenario'>): string {
  if (!guestExecution?.enabled) return 'only models that cost nothing';
  return `at most ${count(guestExecution.dailyCreditCap, 'credit')} a day`;
}

interface Wish {
  readonly name?: string;
  readonly description?: string;
  readonly mode?: 'project_members' | 'invited_only' | 'anyone_with_link';
}

function publish(): Command {
  return doCommand<OutputOf<'publishScenario'>, Wish>({
    name: 'publish',
    description: 'publish an environment; again, the scenario that is there is told',
    arguments: [['environment', 'the id or the name of the environment']],
    act: async (connection, [wanted = ''], { name, description, mode }) => {
      const { client, projectId } = connection;
      const [environmentId = ''] = await findEnvironmentIds(connection, [wanted]);
      const body = given({ name, description, mode });
      return client.publishScenario({ projectId, environmentId, body });
    },
    tell: ({ name, mode, link, created, overridesIgnored }) => [
      `${created ? 'Published' : 'Published before:'} ${name}, open to ${mode}.`,
      ...(overridesIgnored ? ['It was there already, so the flags count for nothing.'] : []),
      `Link: ${link}`,
    ],
  })
    .option('--name <name>', 'what people read; else the name of the environment')
    .option('--description <text>', 'what it is for')
    .option(
      '--mode <mode>',
      'project_members, invited_only or anyone_with_link; else the first of them',
    );
}

function unpublish(): Command {
  return doCommand<OutputOf<'unpublishScenario'>>({
    name: 'unpublish',
    description: 'close the scenario of an environment for good; its link is dead at once',
    arguments: [['environment', 'the id or the name of the environment']],
    act: async (connection, [wanted = '']) => {
      const { client, projectId } = connection;
      const [environmentId = ''] = await findEnvironmentIds(connection, [wanted]);
      return client.unpublishScenario({ projectId, environmentId });
    },
    tell: ({ deleted, id }) => [
      deleted ? `Scenario ${id} is closed.` : 'Nothing was published there.',
    ],
  });
}

function rotate(): Command {
  return doCommand<OutputOf<'rotateScenarioLink'>>({
    name: 'rotate',
    description: 'give a scenario a new link; the old one is dead at once, and who got in stays',
    arguments: [['scenario', 'the id or the name of the scenario']],
    act: async (connection, [wanted = '']) =>
      connection.client.rotateScenarioLink({
        projectId: connection.projectId,
        scenarioId: await findScenarioId(connection, wanted),
        body: {},
      }),
    tell: ({ link }) => [`Link: ${link}`],
  });
}

function invite(): Command {
  return doCommand<OutputOf<'upsertScenarioMember'>, { mail?: true }>({
    name: 'invite',
    description: 'invite an address to a scenario by a link that works once',
    arguments: [
      ['scenario', 'the id or the name of the scenario'],
      ['email', 'who is invited'],
    ],
    act: async (connection, [wanted = '', email = ''], { mail }) =>
      connection.client.upsertScenarioMember({
        projectId: connection.projectId,
        scenarioId: await findScenarioId(connection, wanted),
        body: { email, ...(mail && { sendInviteEmail: true }) },
      }),
    tell: ({ email, invited, inviteUrl, mode }) => [
      `Invited ${email}${invited ? ', who has a mail' : '. Send them this link, for seven days'}.`,
      ...(mode === 'invited_only' ? [] : ['It counts once the mode is invited_only.']),
      `Link: ${inviteUrl}`,
    ],
  }).option('--mail', 'send it by mail, where the operator set that up');
}
