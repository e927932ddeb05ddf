// CommonJS, because Jest calls only a function that is `module.exports` itself. It runs in the module registry of each test file.
module.exports = () => require('../../lambda/proof/keccak.ts').loadKeccak();
