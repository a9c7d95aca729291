/** Imports a module for the cached code of the program, which cannot contain `import()`. */
module.exports = (/** @type {string} */ specifier) => import(specifier);
