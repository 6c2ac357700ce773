import { Command } from 'commander';
import { oauthImportCommand } from './oauth/import.ts';
import { oauthLoginCommand } from './oauth/login.ts';

export function oauthGroup(): Command {
  return new Command('oauth')
    .description('get tokens for a server by the browser, or import them')
    .addCommand(oauthLoginCommand())
    .addCommand(oauthImportCommand());
}
