import type { SimulatedRow } from './simulated-row.ts';

export function simulationTable(rows: readonly SimulatedRow[]): string {
  return rows
    .map(({ part, name, exact, simulated, standardError }) => {
      const figures = Object.entries(simulated).map(([figure, value]) => {
        const error = standardError[figure] ?? 0;
        const known = exact?.[figure];
        const beside = known === undefined ? '' : `, exactly ${known.toFixed(4)}`;
        const isFar = known !== undefined && Math.abs(value - known) > 3 * error;
        const far = isFar ? ', more than three standard errors away' : '';
        return `  ${figure}: ${value.toFixed(4)} ± ${error.toFixed(4)}${beside}${far}`;
      });
      return [`${part}: ${name}`, ...figures].join('\n');
    })
    .join('\n\n');
}
