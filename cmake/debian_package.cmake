# Run by CPack on the tree that becomes the package: what Debian wants otherwise than `cmake --install` leaves it.
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
file(GLOB pages ${share}/man/man1/*.1)
execute_process(COMMAND gzip -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${share}/doc/touchstone/CHANGELOG.md ${share}/doc/touchstone/changelog)
execute_process(COMMAND gzip -9n ${share}/doc/touchstone/changelog COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${share}/doc/touchstone/LICENSE ${share}/doc/touchstone/copyright)
