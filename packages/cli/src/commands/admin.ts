/** `proofmark admin …`: the operator's hand on the database of this host. */
import { Command } from 'commander';
import { printJson, printLine, printTable, say } from '../output.ts';
import { settingsOf } from '../settings.ts';
import { withDatabaseFlags } from './database-flags.ts';

type Flags = Readonly<Record<string, string | boolean | undefined>>;

export function admin(): Command {
  const group = new Command('admin').description(
    'accounts, keys and features, on the database of this host',
  );
  for (const command of [
    bootstrap(),
    createKey(),
    listKeys(),
    revokeKey(),
    addMember(),
    setRole(),
    setFeature(),
    createLink(),
  ]) {
    group.addCommand(command);
  }
  // The list of commands would wrap badly with all their arguments; each has its own --help.
  return group.configureHelp({ subcommandTerm: (command) => command.name() });
}

function bootstrap(): Command {
  return subcommand(
    'bootstrap',
    'make account, organization and project where missing, and a fresh key',
  )
    .requiredOption('--email <address>', 'the owner')
    .requiredOption('--organization <name>', 'the organization')
    .option('--project <name>', 'the project (Default)')
    .action(async (flags: Flags) => {
      const made = await operate(flags, (operator) =>
        operator.bootstrap({
          email: String(flags['email']),
          organization: String(flags['organization']),
          project: flags['project'] as string | undefined,
        }),
      );
      if (flags['json']) return printJson(made);
      printTable(
        ['WHAT', 'ID'],
        [
          ['account', made.accountId],
          ['organization', made.organizationId],
          ['project', made.projectId],
          ['API key', made.apiKeyId],
        ],
      );
      printLine();
      printKey(made.apiKey);
    });
}

function createKey(): Command {
  return subcommand('create-key', 'make an API key for a member of an organization')
    .requiredOption('--email <address>', 'the member as whom the key acts')
    .requiredOption('--organization <id or name>', 'the organization the key is bound to')
    .option('--name <name>', 'what the key is for', 'operator')
    .action(async (flags: Flags) => {
      const { apiKey, key } = await operate(flags, (operator) =>
        operator.createKey(
          String(flags['email']),
          String(flags['organization']),
          String(flags['name']),
        ),
      );
      if (flags['json']) return printJson({ apiKeyId: apiKey.id, apiKey: key });
      printLine(`Made the key ${apiKey.name} (${apiKey.id}).`);
      printKey(key);
    });
}

function listKeys(): Command {
  return subcommand('list-keys', 'list the API keys of an organization')
    .argument('<organization>', 'its id or name')
    .action(async (organization: string, flags: Flags) => {
      const keys = await operate(flags, (operator) => operator.listKeys(organization));
      if (flags['json']) return printJson(keys);
      printTable(
        ['ID', 'NAME', 'START', 'CREATED', 'STATE'],
        keys.map((key) => [
          key.id,
          key.name,
          `${key.start}…`,
          day(key.createdAt),
          key.revokedAt ? `revoked ${day(key.revokedAt)}` : 'in use',
        ]),
      );
    });
}

function revokeKey(): Command {
  return subcommand('revoke-key', 'revoke an API key at once')
    .argument('<key id>', 'as list-keys shows it')
    .action(async (keyId: string, flags: Flags) => {
      const revoked = await operate(flags, (operator) => operator.revokeKey(keyId));
      if (flags['json']) return printJson(revoked);
      printLine(`The key ${revoked.name} is revoked.`);
    });
}

function addMember(): Command {
  return subcommand(
    'add-member',
    'add a person to an organization, making the account where missing',
  )
    .argument('<organization>', 'its id or name')
    .argument('<email>', 'of the person')
    .option('--role <role>', 'owner, admin or member', 'member')
    .action(async (organization: string, email: string, flags: Flags) => {
      const made = await operate(flags, (operator) =>
        operator.addMember(organization, email, String(flags['role'])),
      );
      if (flags['json']) return printJson(made);
      printLine(
        made.added
          ? `${email} is now a member.`
          : `${email} was a member already; use set-role to change the role.`,
      );
    });
}

function setRole(): Command {
  return subcommand('set-role', 'change the role of a member')
    .argument('<organization>', 'its id or name')
    .argument('<email>', 'of the member')
    .argument('<role>', 'owner, admin or member')
    .action(async (organization: string, email: string, role: string, flags: Flags) => {
      await operate(flags, (operator) => operator.setRole(organization, email, role));
      if (flags['json']) return printJson({ email, role });
      printLine(`${email} is now ${role}.`);
    });
}

function setFeature(): Command {
  return subcommand('set-feature', 'switch a feature of an organization on or off')
    .argument('<organization>', 'its id or name')
    .argument('<feature>', 'swarms or user-testing')
    .argument('<state>', 'on or off')
    .action(async (organization: string, feature: string, state: string, flags: Flags) => {
      await operate(flags, (operator) => operator.setFeature(organization, feature, state));
      if (flags['json']) return printJson({ feature, state });
      printLine(`${feature} is ${state} for ${organization}.`);
    });
}

function createLink(): Command {
  return subcommand('create-link', 'make a one-time sign-in link for a person')
    .argument('<email>', 'of the person')
    .option('--url <url>', 'where they reach the console, if not where it runs')
    .action(async (email: string, flags: Flags) => {
      const link = await operate(flags, (operator) =>
        operator.createSignInLink(email, flags['url'] as string | undefined),
      );
      if (flags['json']) return printJson(link);
      printLine(link.url);
      printLine(`It works once, until ${link.expiresAt.toLocaleString()}.`);
    });
}

function subcommand(name: string, description: string): Command {
  return withDatabaseFlags(new Command(name))
    .description(description)
    .option('--json', 'print the result as JSON');
}

type Server = typeof import('@proofmark/server');

async function operate<Result>(
  flags: Flags,
  act: Parameters<typeof import('@proofmark/server').asOperator<Result>>[2],
): Promise<Result> {
  const { asOperator }: Server = await import('@proofmark/server');
  const { settings } = await settingsOf(flags);
  return asOperator(settings, say, act);
}

function printKey(key: string): void {
  printLine(`  ${key}`);
  printLine('  This is shown once. Keep it where your secrets live.');
}

function day(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
