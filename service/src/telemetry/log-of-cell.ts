import type { LogFields, Logger } from './logger.ts';

/** A logger whose lines name a cell, where there are several. */
export function withCell(logger: Logger, cellOf: () => string | undefined): Logger {
  const name = (fields: LogFields): LogFields => {
    const cell = cellOf();
    return cell === undefined ? fields : { ...fields, cell };
  };
  return {
    debug: (fields, message) => logger.debug(name(fields), message),
    info: (fields, message) => logger.info(name(fields), message),
    warn: (fields, message) => logger.warn(name(fields), message),
    error: (fields, message) => logger.error(name(fields), message),
    writesDebug: logger.writesDebug,
    flush: () => logger.flush(),
  };
}
