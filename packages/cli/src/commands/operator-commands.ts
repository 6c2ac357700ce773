import type { CommandLoaders } from '../run.ts';

export const operatorCommands: CommandLoaders = {
  test: async () => {
    // Loading `test.ts` takes a moment. Ctrl+C during that time must print the same message as
    // Ctrl+C after it.
    (await import('./test/until-interrupted.ts')).endIfInterrupted();
    return (await import('./test.ts')).testCommand(await ownService());
  },
  init: async () => (await import('./init.ts')).initCommand(await ownService()),
  lint: async () => (await import('./lint.ts')).lintCommand(await ownService()),
  surface: async () => (await import('./surface.ts')).surfaceGroup(await ownService()),
  serve: async () => (await import('./serve.ts')).serveCommand(),
  work: async () => (await import('./work.ts')).workCommand(),
  migrate: async () => (await import('./migrate.ts')).migrateCommand(),
  admin: async () => (await import('./admin.ts')).adminCommand(),
  backup: async () => (await import('./backup.ts')).backupCommand(),
  restore: async () => (await import('./restore.ts')).restoreCommand(),
  config: async () => (await import('./config.ts')).configCommand(),
};

async function ownService() {
  return (await import('./test/own-service.ts')).ownService;
}
