/** The environment of child processes: only PATH and the clock settings are inherited. */
const PASSED_ON = ['PATH', 'TZ', 'NODE_OPTIONS', 'TEST_CLOCK_SHIFT_MS'] as const;

export function childEnvironment(): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
