import { Command } from 'commander';
import { listModelsCommand } from './model/list.ts';
import { removeModelCommand } from './model/remove.ts';
import { setModelCommand } from './model/set.ts';
import { testModelCommand } from './model/test.ts';

export function modelCommand(): Command {
  const group = new Command('model').description('set model providers without a restart');
  for (const make of [listModelsCommand, setModelCommand, removeModelCommand, testModelCommand]) {
    group.addCommand(make());
  }
  return group;
}
