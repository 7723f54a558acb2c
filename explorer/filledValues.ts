/** The values that the page fills into variables: dates, and ids of examples. */

type Values = Readonly<Record<string, string>>;

/** The methods of `Storage` that this module uses. */
interface Storage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const FILLED = 'filled';

/**
 * Updates the values that an earlier visit filled into the variables of the tabs, unless the user has changed them.
 * `found` has the new values. A value that could not be found stays as it was; on a first visit it comes from `initial`.
 * Stores all values for the next visit, and returns them.
 */
export function refreshVariables<Initial extends Values>(
  storage: Storage,
  initial: Initial,
  found: Partial<Initial>,
): Initial {
  const filled = JSON.parse(storage.getItem(FILLED) ?? '{}') as Values;
  const values = { ...initial, ...filled, ...found };
  const replace = (text: string) =>
    Object.entries(filled).reduce(
      (replaced, [name, old]) => replaced.replaceAll(`"${old}"`, `"${values[name] ?? old}"`),
      text,
    );
  const variables = storage.getItem('graphiql:variables');
  if (variables !== null) storage.setItem('graphiql:variables', replace(variables));
  const tabState = storage.getItem('graphiql:tabState');
  if (tabState !== null) storage.setItem('graphiql:tabState', replaceInTabs(tabState, replace));
  storage.setItem(FILLED, JSON.stringify(values));
  return values;
}

function replaceInTabs(tabState: string, replace: (text: string) => string): string {
  return JSON.stringify(
    JSON.parse(tabState, (key, value: unknown) =>
      key === 'variables' && typeof value === 'string' ? replace(value) : value,
    ),
  );
}
