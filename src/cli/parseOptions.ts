/** Parses the options of a command. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

type OptionTable = NonNullable<ParseArgsConfig['options']>;

/** Throws an error for the user, also for a repeated option: `parseArgs` would use the last one and ignore the others. */
export function parseOptions<const Options extends OptionTable>(args: readonly string[], options: Options) {
  const { values, tokens } = parseArgs({ args: [...args], options, strict: true, tokens: true });
  const names = tokens.flatMap((token) => (token.kind === 'option' ? [`--${token.name}`] : []));
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw new Error(`${repeated} is repeated; set it once.`);
  return values;
}
