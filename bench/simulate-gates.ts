import { simulateGates } from './gates/simulate-gates.ts';
import { simulationArguments } from './gates/simulation-arguments.ts';
import { simulationTable } from './gates/simulation-table.ts';

const options = simulationArguments(process.argv.slice(2));
if ('problem' in options) {
  console.error(options.problem);
  process.exitCode = 2;
} else {
  const simulation = simulateGates(options);
  console.log(
    options.json ? JSON.stringify(simulation, null, 1) : simulationTable(simulation.rows),
  );
}
